/** The four shapes of the seats, around the origin, about as large as a circle of 13 units. */
const SHAPES = [
  'M-12.5 0A12.5 12.5 0 1 1 12.5 0A12.5 12.5 0 1 1 -12.5 0Z',
  'M-10.5 -10.5H10.5V10.5H-10.5Z',
  'M0 -13L12.8 9.5H-12.8Z',
  'M0 -14.2L13.2 0L0 14.2L-13.2 0Z',
]

export const seatShape = (seat: number): string => SHAPES[seat] ?? SHAPES[0]!

/** Where a letter or sign looks centred in the shape. */
export const seatShapeMiddle = (seat: number): number => (seat === 2 ? 2.4 : 0)

/** Where the pips of each number are. */
export const PIPS: [number, number][][] = [
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
]
