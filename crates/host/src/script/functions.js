// Runs after a game's script, where its top-level constants are visible too. Its value holds what the game defines.
({
    game: typeof game === "undefined" ? null : game,
    start: typeof start === "undefined" ? null : start,
    legalPlays: typeof legalPlays === "undefined" ? null : legalPlays,
    nextState: typeof nextState === "undefined" ? null : nextState,
    winner: typeof winner === "undefined" ? null : winner,
    turn: typeof turn === "undefined" ? null : turn,
    points: typeof points === "undefined" ? null : points,
    playText: typeof playText === "undefined" ? null : playText,
    positionText: typeof positionText === "undefined" ? null : positionText,
    parsePosition: typeof parsePosition === "undefined" ? null : parsePosition,
    cells: typeof cells === "undefined" ? null : cells,
    moveCells: typeof moveCells === "undefined" ? null : moveCells,
    symmetry: typeof symmetry === "undefined" ? null : symmetry,
    evaluate: typeof evaluate === "undefined" ? null : evaluate,
    priority: typeof priority === "undefined" ? null : priority,
    // Without its own, a game is played to its end here: no position crosses the border on the way.
    playout: typeof playout !== "undefined" ? playout : (state, random) => {
        for (;;) {
            const result = winner(state);
            if (result !== null && result !== undefined) return typeof points === "undefined" ? result : points(state);
            const plays = legalPlays(state);
            if (plays.length === 0) throw new Error("no legal plays, and no winner yet");
            state = nextState(state, plays[Math.floor(random() * plays.length)]);
        }
    },
})
