// {{title}}: three in a row on a board of 3 by 3. Change it into your game.
import { DRAW, FIRST, FIRST_WINS, Game, RUNNING, SECOND, SECOND_WINS, add, register } from "./tesuji";

export { buffer, describe, start, moves, play, move_text, playout } from "./tesuji";
export { position_text, parse_position, cells, move_cells } from "./tesuji";

const LINES: StaticArray<StaticArray<i32>> = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8],
    [0, 3, 6], [1, 4, 7], [2, 5, 8],
    [0, 4, 8], [2, 4, 6],
];
const LETTERS = ".xo";

/** The state: 0, 1 or 2 on each of the nine cells, row by row from the top, then the side to move. */
class ThreeInARow extends Game {
    constructor() {
        super(10);
    }

    describe(): string {
        return `{
            "name": "{{name}}",
            "names": {"en": "{{title}}"},
            "how_to_play": {"en": "Take a free cell. Three in a row win."},
            "board": {"columns": 3, "rows": 3, "pieces": {"x": {"side": "first"}, "o": {"side": "second"}}}
        }`;
    }

    start(): void {}

    turn(): u32 {
        return this.state[9];
    }

    outcome(): u32 {
        for (let i = 0; i < LINES.length; ++i) {
            const line = LINES[i];
            const mark = this.state[line[0]];
            if (mark != 0 && mark == this.state[line[1]] && mark == this.state[line[2]]) {
                return mark == 1 ? FIRST_WINS : SECOND_WINS;
            }
        }
        for (let cell = 0; cell < 9; ++cell) if (this.state[cell] == 0) return RUNNING;
        return DRAW;
    }

    moves(): void {
        if (this.outcome() != RUNNING) return;
        for (let cell = 0; cell < 9; ++cell) if (this.state[cell] == 0) add(cell);
    }

    play(cell: u32): void {
        this.state[cell] = <u8>this.turn() + 1;
        this.state[9] ^= 1;
    }

    moveText(cell: u32): string {
        return String.fromCharCode(97 + (cell % 3)) + (3 - cell / 3).toString();
    }

    text(): string {
        let text = "";
        for (let cell = 0; cell < 9; ++cell) text += LETTERS.charAt(this.state[cell]);
        return text + (this.turn() == FIRST ? " x" : " o");
    }

    parse(text: string): string {
        let marks: StaticArray<i32> = [0, 0, 0];
        if (text.length != 11) return "expected nine cells of `.`, `x` and `o`, a space, and the side to move";
        for (let cell = 0; cell < 9; ++cell) {
            const mark = LETTERS.indexOf(text.charAt(cell));
            if (mark < 0) return "expected nine cells of `.`, `x` and `o`, a space, and the side to move";
            this.state[cell] = <u8>mark;
            ++marks[mark];
        }
        this.state[9] = <u8>(text.endsWith(" o") ? SECOND : FIRST);
        const fits = marks[1] == marks[2] + <i32>this.state[9] && (text.endsWith(" x") || text.endsWith(" o"));
        return fits ? "" : "expected as many `x` as `o` when `x` is to move, one more when `o` is";
    }

    cells(): string[] {
        const cells: string[] = [];
        for (let cell = 0; cell < 9; ++cell) cells.push(this.state[cell] == 0 ? "" : LETTERS.charAt(this.state[cell]));
        return cells;
    }

    moveCells(cell: u32): string[] {
        return ["", this.moveText(cell)];
    }
}

register(new ThreeInARow());
