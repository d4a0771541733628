import { expect, test } from 'vitest'
import { blocksOf, spansOf } from './formatting.ts'

test('a text has paragraphs, lists, quotes, headings and code', () => {
  const text = '# Head\nOne\ntwo\n\n- a\n- b\n1. c\n> said\n```\n- kept **as** it is\n```\nEnd'
  expect(blocksOf(text).map(({ kind, lines }) => [kind, lines])).toEqual([
    ['heading', ['Head']],
    ['paragraph', ['One', 'two']],
    ['list', ['a', 'b']],
    ['numbers', ['c']],
    ['quote', ['said']],
    ['code', ['- kept **as** it is']],
    ['paragraph', ['End']],
  ])
})

test('a line has bold, italic and code; HTML stays text', () => {
  expect(spansOf('**b** `c_d_e` _i_ <script>').map(({ text, style }) => [style, text])).toEqual([
    ['bold', 'b'],
    ['plain', ' '],
    ['code', 'c_d_e'],
    ['plain', ' '],
    ['italic', 'i'],
    ['plain', ' <script>'],
  ])
})
