import { expect, test } from 'vitest'
import { filled, partsOf, unknownIn } from './placeholders.ts'

const known = [
  { name: 'name', example: 'Ingrid' },
  { name: 'server', example: 'web-01' },
]

test('a text is split at its placeholders', () => {
  expect(partsOf('Hi {{name}}: {{ server }}', known)).toEqual([
    { text: 'Hi ' },
    { name: 'name', known: known[0] },
    { text: ': ' },
    { name: 'server', known: known[1] },
  ])
  expect(partsOf('', known)).toEqual([])
  expect(partsOf('{single} {{{', known)).toEqual([{ text: '{single} {{{' }])
})
test('an unknown name is reported once', () => {
  expect(unknownIn('{{nme}} {{nme}} {{}} {{name}}', known)).toEqual(['nme', ''])
})
test('examples replace the names', () => {
  expect(filled('{{name}} on {{ server }} {{nme}}', known)).toBe('Ingrid on web-01 {{nme}}')
})
