import { expect, test } from 'vitest'
import { squareOf } from './crop.ts'

const wide = { width: 400, height: 200 }
test.each([
  ['the middle', { x: 0.5, y: 0.5, zoom: 1 }, { left: 100, top: 0, side: 200 }],
  ['twice as near', { x: 0.5, y: 0.5, zoom: 2 }, { left: 150, top: 50, side: 100 }],
  ['beyond the left edge', { x: -3, y: 0.5, zoom: 1 }, { left: 0, top: 0, side: 200 }],
  ['beyond the lower right corner', { x: 1, y: 1, zoom: 2 }, { left: 300, top: 100, side: 100 }],
  ['zoomed out beyond the picture', { x: 0.5, y: 0.5, zoom: 0.1 }, { left: 100, top: 0, side: 200 }],
])('%s of a wide picture is inside it', (_, square, found) => {
  expect(squareOf(wide, square)).toEqual(found)
})
