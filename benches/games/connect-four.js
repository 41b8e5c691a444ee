// Connect Four in four functions, for the speed of scripts: tesuji game check benches/games/connect-four.js
const game = { name: "connect-four-script", board: { columns: 7, rows: 6, clicks: "list" } };
function start() { return { player: 1, columns: ["", "", "", "", "", "", ""], last: -1 }; }
function legalPlays(state) {
    if (winner(state) !== null) return [];
    const plays = [];
    for (let c = 0; c < 7; c++) if (state.columns[c].length < 6) plays.push(c + 1);
    return plays;
}
function nextState(state, play) {
    state.columns[play - 1] += state.player;
    state.last = play - 1;
    state.player = 3 - state.player;
    return state;
}
function winner(state) {
    if (state.last < 0) return null;
    const columns = state.columns, c = state.last, r = columns[c].length - 1, mover = columns[c][r];
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
        let count = 1;
        for (let x = c + dx, y = r + dy; x >= 0 && x < 7 && y >= 0 && columns[x][y] === mover; x += dx, y += dy) count++;
        for (let x = c - dx, y = r - dy; x >= 0 && x < 7 && y >= 0 && columns[x][y] === mover; x -= dx, y -= dy) count++;
        if (count >= 4) return Number(mover);
    }
    return columns.every((column) => column.length === 6) ? 0 : null;
}
