// Number Scrabble: the players take numbers from 1 to 9 in turn. Whoever has three numbers that sum to 15 wins.

const game = {
    name: "number-scrabble",
    names: { en: "Number Scrabble", zh: "数字拼十五" },
    how_to_play: {
        en: "Take a number from 1 to 9. Whoever has three numbers that sum to 15 wins.",
        zh: "轮流取 1 到 9 中的一个数，先凑出三个数之和为 15 者胜。",
    },
    board: { columns: 9, rows: 1, names: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], clicks: "list" },
};

function start() {
    return { player: 1, taken: { 1: [], 2: [] } };
}

function legalPlays(state) {
    if (winner(state) !== null) return [];
    const taken = [...state.taken[1], ...state.taken[2]];
    return [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((number) => !taken.includes(number)).map(String);
}

function nextState(state, play) {
    // In ascending order, so that equal positions are equal values.
    const numbers = [...state.taken[state.player], Number(play)].sort();
    return { player: 3 - state.player, taken: { ...state.taken, [state.player]: numbers } };
}

function winner(state) {
    for (const player of [1, 2]) {
        const numbers = state.taken[player];
        const has = (a, b) => numbers.includes(15 - a - b) && 15 - a - b > b;
        if (numbers.some((a) => numbers.some((b) => b > a && has(a, b)))) return player;
    }
    return state.taken[1].length + state.taken[2].length === 9 ? 0 : null;
}
