// Plays many matches over WebSockets and measures how long a move takes until its player has it confirmed.
// node generator.mjs '{"kind":"threespan","port":8000,"matches":100,"interval":1000,"warmup":3,"seconds":20}'
// With the interval 0 the next move of a match follows the last one at once (closed loop).
import WebSocket from "ws";
import { randomBytes } from "node:crypto";

const plan = JSON.parse(process.argv[2]);
const latencies = [];
let measuring = false;

const random = (list) => list[Math.floor(Math.random() * list.length)];

function confirmed(sentAt) {
  if (measuring) latencies.push(performance.now() - sentAt);
}

// A match of ours between two people; each seat plays any legal action.
class Threespan {
  constructor(onMove) {
    this.onMove = onMove;
    this.moves = 0;
  }

  async open() {
    const answer = await fetch(`http://127.0.0.1:${plan.port}/api/tables`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ game: plan.game, seats: [{ kind: "link" }, { kind: "link" }] }),
    });
    const table = await answer.json();
    if (!table.keys) throw new Error(JSON.stringify(table));
    this.updates = [null, null];
    this.pending = { id: "none" };
    this.sockets = await Promise.all([0, 1].map((seat) => this.connect(table, seat)));
    while (!this.updates[0] || !this.updates[1]) await new Promise((resolve) => setTimeout(resolve, 5));
    this.pending = null;
  }

  connect(table, seat) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${plan.port}/api/tables/${table.id}/socket`, { perMessageDeflate: false });
      socket.on("error", reject);
      socket.on("open", () => socket.send(JSON.stringify({ type: "hello", version: 1, key: table.keys[seat].key })));
      socket.on("message", (data) => {
        for (const line of data.toString().split("\n")) this.receive(socket, seat, JSON.parse(line), resolve);
      });
    });
  }

  receive(socket, seat, message, resolve) {
    if (message.type === "welcome") {
      socket.send(JSON.stringify({ type: "join", id: "join", share: randomBytes(32).toString("hex") }));
      resolve(socket);
    } else if (message.type === "update") {
      this.updates[seat] = message;
    } else if (message.type === "done" && this.pending?.id === message.id) {
      confirmed(this.pending.sentAt);
      this.pending = null;
      this.onMove(this);
    } else if (message.type === "refused" || message.type === "failed" || message.type === "bye") {
      console.error(JSON.stringify(message));
      process.exit(1);
    }
  }

  async move() {
    if (this.pending) return;
    const seats = [0, 1].filter((seat) => this.updates[seat].now.legal.length);
    if (!seats.length) return this.renew();
    const seat = random(seats);
    const update = this.updates[seat];
    const id = String(this.moves++);
    this.pending = { id, sentAt: performance.now() };
    const action_texts = [random(update.now.legal)];
    this.sockets[seat].send(JSON.stringify({ type: "play", id, seat, notices_seen: update.notice_count, action_texts }));
  }

  // The match is over: go on at a new table.
  async renew() {
    if (!this.updates.some((update) => update.result)) return setTimeout(() => this.move(), 1);
    this.pending = { id: "none" };
    this.sockets.forEach((socket) => socket.close());
    await this.open();
    this.move();
  }
}

// A match of boardgame.io: two players, tic-tac-toe; the frames are those of socket.io 4.
class BoardgameIo {
  static count = 0;

  constructor(onMove) {
    this.onMove = onMove;
    this.id = `match-${BoardgameIo.count++}`;
  }

  async open() {
    this.cells = Array(9).fill(null);
    this.state = 0;
    this.player = "0";
    this.sockets = await Promise.all(["0", "1"].map((player) => this.connect(player)));
  }

  connect(player) {
    return new Promise((resolve, reject) => {
      const url = `ws://127.0.0.1:${plan.port}/socket.io/?EIO=4&transport=websocket`;
      const socket = new WebSocket(url, { perMessageDeflate: false, origin: `http://localhost:${plan.port}` });
      socket.on("error", reject);
      socket.on("message", (data) => this.receive(socket, player, data.toString(), resolve));
    });
  }

  receive(socket, player, frame, resolve) {
    if (frame === "2") socket.send("3");
    else if (frame.startsWith("0")) socket.send("40/tic-tac-toe,");
    else if (frame.startsWith("40")) socket.send(`42/tic-tac-toe,["sync","${this.id}","${player}",null,2]`);
    else if (frame.startsWith("42")) {
      const [event, , state] = JSON.parse(frame.slice(frame.indexOf("[")));
      if (event === "sync") resolve(socket);
      else if (event === "update" && this.pending?.player === player && state._stateID > this.state) {
        this.cells = state.G.cells;
        this.state = state._stateID;
        confirmed(this.pending.sentAt);
        this.pending = null;
        this.player = state.ctx.currentPlayer;
        this.onMove(this);
      }
    }
  }

  move() {
    if (this.pending) return;
    const free = this.cells.flatMap((mark, cell) => (mark === null ? [cell] : []));
    const cell = random(free.length ? free : [...this.cells.keys()]);
    const player = this.player;
    const payload = { type: "mark", args: [cell], playerID: player };
    this.pending = { player, sentAt: performance.now() };
    const action = JSON.stringify({ type: "MAKE_MOVE", payload });
    this.sockets[Number(player)].send(`42/tic-tac-toe,["update",${action},${this.state},"${this.id}","${player}"]`);
  }
}

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const Match = plan.kind === "threespan" ? Threespan : BoardgameIo;
const matches = Array.from({ length: plan.matches }, () => new Match((match) => !plan.interval && match.move()));
for (let first = 0; first < matches.length; first += 20) {
  await Promise.all(matches.slice(first, first + 20).map((match) => match.open()));
}
matches.forEach((match, index) => {
  const begin = () => (plan.interval ? setInterval(() => match.move(), plan.interval) : match.move());
  setTimeout(begin, (plan.interval * index) / matches.length);
});
await sleep(plan.warmup);
console.log("measuring"); // whoever started this may measure something, too
measuring = true;
const begin = performance.now();
await sleep(plan.seconds);
const seconds = (performance.now() - begin) / 1000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))];
const figures = { moves: latencies.length, moves_per_s: latencies.length / seconds };
console.log(JSON.stringify({ ...figures, p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99), max_ms: at(1) }));
process.exit(0);
