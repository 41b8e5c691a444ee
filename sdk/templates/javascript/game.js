// {{title}}: three in a row on a board of 3 by 3. Change it into your game.
//
// A state is any JSON value with `player`, the side to move: 1 or 2. Only start, legalPlays, nextState and winner are needed.

const game = {
    name: "{{name}}",
    names: { en: "{{title}}" },
    how_to_play: { en: "Take a free cell. Three in a row win." },
    board: { columns: 3, rows: 3, pieces: { x: { side: "first" }, o: { side: "second" } } },
};

const NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

function start() {
    return { player: 1, cells: ["", "", "", "", "", "", "", "", ""] };
}

function legalPlays(state) {
    return winner(state) === null ? NAMES.filter((_, cell) => state.cells[cell] === "") : [];
}

function nextState(state, play) {
    const cells = state.cells.slice();
    cells[NAMES.indexOf(play)] = state.player === 1 ? "x" : "o";
    return { player: 3 - state.player, cells };
}

// The number of the player who has won, 0 for a draw, null while the game goes on.
function winner(state) {
    for (const [a, b, c] of LINES) {
        const mark = state.cells[a];
        if (mark !== "" && mark === state.cells[b] && mark === state.cells[c]) return mark === "x" ? 1 : 2;
    }
    return state.cells.includes("") ? null : 0;
}

// For the page: what stands on each cell, and what a move does.
function cells(state) {
    return state.cells;
}

function moveCells(state, play) {
    return { to: play };
}
