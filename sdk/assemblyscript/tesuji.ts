// A board game in AssemblyScript as a WebAssembly module for Tesuji:
//
//     npx asc game.ts --optimize --use abort= --outFile game.wasm
//
// The game extends `Game`, registers an instance with `register`, and exports the functions of the module from its entry file; those
// in the second line are optional:
//
//     export { buffer, describe, start, moves, play, move_text, playout } from "./tesuji";
//     export { position_text, parse_position, cells, move_cells, symmetry, evaluate, priority } from "./tesuji";

/** The first side, and the second. */
export const FIRST: u32 = 0;
export const SECOND: u32 = 1;

/** How a game stands. */
export const RUNNING: u32 = 0;
export const FIRST_WINS: u32 = 1;
export const SECOND_WINS: u32 = 2;
export const DRAW: u32 = 3;

/** A position and the rules. All that the rules need of a position is in `state`. */
export abstract class Game {
    /** The bytes of the position: set before each call, and read after `start`, `play` and `parse`. */
    state: StaticArray<u8>;

    constructor(size: i32) {
        this.state = new StaticArray<u8>(size);
    }

    /** The description of the game, as JSON. */
    abstract describe(): string;
    /** Sets `state`, all zero before, to the start; `parameter` reads the variant. */
    abstract start(): void;
    /** The side to move: `FIRST` or `SECOND`. */
    abstract turn(): u32;
    /** `RUNNING`, `FIRST_WINS`, `SECOND_WINS` or `DRAW`. */
    abstract outcome(): u32;
    /** Calls `add` for each legal move, always in the same order; for none at the end. */
    abstract moves(): void;
    /** Plays a legal move. */
    abstract play(code: u32): void;

    /** In games for points: the first side's points minus the second's. */
    margin(): i32 {
        return 0;
    }
    /** The text of a legal move, without spaces. */
    moveText(code: u32): string {
        return code.toString();
    }
    /** The text of the position. */
    text(): string {
        return "";
    }
    /** Sets `state`, the start before, to the position of a text. Returns an empty text, or what was expected. */
    parse(text: string): string {
        return "expected moves from the start: this game reads no positions";
    }
    /** What stands on each cell; empty where nothing does. */
    cells(): string[] {
        return [];
    }
    /** The cells that a piece leaves and comes to, then those that are captured; an empty text for none. */
    moveCells(code: u32): string[] {
        return ["", ""];
    }
    /** A key that only positions share which are images of each other. */
    symmetry(): u64 {
        return 0;
    }
    /** The value for the first side: 400 where it wins three games of four; hundredths of a point in games for points. */
    evaluate(): i32 {
        return 0;
    }
    /** How early to try a legal move: the largest first. */
    priority(code: u32): i32 {
        return 0;
    }
}

const SIZE: u32 = 64 << 10;
const BUFFER = memory.data(64 << 10, 8);
const TEXT: usize = BUFFER;
let count: u32 = 0;
let variant = "";
let game: Game | null = null;

/** Makes `rules` the game of the module. */
export function register(rules: Game): void {
    game = rules;
}

/** In `moves`: adds a legal move. */
export function add(code: u32): void {
    assert(count < SIZE / 4);
    store<u32>(BUFFER + 4 * count++, code);
}

/** In `start`: a parameter of the variant, a whole number. */
export function parameter(name: string): i32 {
    const key = '"' + name + '":';
    const at = variant.indexOf(key);
    assert(at >= 0);
    return <i32>parseInt(variant.substring(at + key.length));
}

function rules(): Game {
    return game!;
}

function read(length: u32): Game {
    const rules = game!;
    assert(length == <u32>rules.state.length);
    memory.copy(changetype<usize>(rules.state), BUFFER, length);
    return rules;
}

function status(rules: Game): u32 {
    return rules.turn() | (rules.outcome() << 1) | (<u32>rules.margin() << 16);
}

function write(rules: Game): u64 {
    memory.copy(BUFFER, changetype<usize>(rules.state), rules.state.length);
    return (<u64>status(rules) << 32) | rules.state.length;
}

function writeText(text: string): u32 {
    assert(<u32>String.UTF8.byteLength(text) <= SIZE);
    return <u32>String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, TEXT);
}

function quoted(text: string): string {
    return '"' + text.replaceAll("\\", "\\\\").replaceAll('"', '\\"') + '"';
}

function array(texts: string[]): string {
    return "[" + texts.map<string>((text) => quoted(text)).join(",") + "]";
}

export function buffer(size: u32): usize {
    return size > SIZE ? 0 : BUFFER;
}

export function describe(): u32 {
    return writeText(rules().describe());
}

export function start(length: u32): u64 {
    variant = String.UTF8.decodeUnsafe(TEXT, length);
    const game = rules();
    memory.fill(changetype<usize>(game.state), 0, game.state.length);
    game.start();
    return write(game);
}

export function moves(length: u32): u32 {
    const game = read(length);
    count = 0;
    game.moves();
    return count;
}

export function play(length: u32, code: u32): u64 {
    const game = read(length);
    game.play(code);
    return write(game);
}

export function move_text(length: u32, code: u32): u32 {
    return writeText(read(length).moveText(code));
}

export function position_text(length: u32): u32 {
    return writeText(read(length).text());
}

export function parse_position(length: u32, text: u32): u64 {
    const game = read(length);
    const problem = game.parse(String.UTF8.decodeUnsafe(TEXT + length, text));
    if (problem.length == 0) return write(game);
    return (<u64>0xffffffff << 32) | writeText(problem);
}

export function cells(length: u32): u32 {
    return writeText(array(read(length).cells()));
}

export function move_cells(length: u32, code: u32): u32 {
    const cells = read(length).moveCells(code);
    const from = cells[0].length > 0 ? quoted(cells[0]) : "null";
    const to = cells[1].length > 0 ? quoted(cells[1]) : "null";
    return writeText('{"from":' + from + ',"to":' + to + ',"captured":' + array(cells.slice(2)) + "}");
}

/** A random game: splitmix64 draws the moves. */
export function playout(length: u32, seed: u64): u32 {
    const game = read(length);
    while (game.outcome() == RUNNING) {
        count = 0;
        game.moves();
        seed += 0x9e3779b97f4a7c15;
        let bits = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        bits ^= bits >> 31;
        game.play(load<u32>(BUFFER + 4 * <usize>(((bits >> 32) * count) >> 32)));
    }
    return status(game);
}

export function symmetry(length: u32): u64 {
    return read(length).symmetry();
}

export function evaluate(length: u32): i32 {
    return read(length).evaluate();
}

export function priority(length: u32, code: u32): i32 {
    return read(length).priority(code);
}
