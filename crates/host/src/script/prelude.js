// Runs before a game's script: equal calls must give equal results.
Math.random = () => {
    throw new Error("Math.random is not available: equal calls must give equal results");
};
