// A boardgame.io server with tic-tac-toe on a board that clears when it is full, in memory: the peer of our server.
const { Server, Origins } = require("boardgame.io/server");

const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells.every((mark) => mark !== null)) G.cells = Array(9).fill(null);
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
};

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
