import { expect, test } from 'vitest'
import { mentionAt, mentionedIn, noDraft, readDraft, withMention, writtenDraft } from './mentions.ts'

test.each([
  ['@', 1, { from: 0, words: '' }],
  ['Ask @eri', 8, { from: 4, words: 'eri' }],
  ['Ask @Erik Lind about it', 14, { from: 4, words: 'Erik Lind' }],
  ['(@Åse', 5, { from: 1, words: 'Åse' }],
  ['erik@example', 12, undefined],
  ['@Erik, look at', 14, undefined],
  ['@one two three four', 19, undefined],
  ['no mention', 5, undefined],
])('%j at %i mentions %j', (text, caret, typed) => expect(mentionAt(text, caret)).toEqual(typed))

test('the chosen name replaces the typed letters', () => {
  expect(withMention('Ask @eri about', 8, { from: 4, words: 'eri' }, 'Erik Lindqvist')).toEqual({
    text: 'Ask @Erik Lindqvist about',
    caret: 20,
  })
})

test('a name that was deleted from the text mentions nobody', () => {
  const people = [
    { id: 1, name: 'Erik Lindqvist' },
    { id: 2, name: 'Ada Berg' },
    { id: 1, name: 'Erik Lindqvist' },
  ]
  expect(mentionedIn('Hello @Erik Lindqvist', people)).toEqual([1])
})

test('a draft is read back unchanged; invalid data is an empty draft', () => {
  const draft = { text: 'Hello @Ada Berg', people: [{ id: 2, name: 'Ada Berg' }] }
  expect(readDraft(writtenDraft(draft))).toEqual(draft)
  expect(writtenDraft(noDraft)).toBe('')
  expect([undefined, '{', '[]', '{"text":1}'].map(readDraft)).toEqual([noDraft, noDraft, noDraft, noDraft])
  expect(readDraft('{"text":"a","people":[{"id":"1"}]}')).toEqual({ text: 'a', people: [] })
})
