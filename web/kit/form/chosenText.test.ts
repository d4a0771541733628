import { expect, it } from 'vitest'
import { toastStore } from '../dialogs/toast.ts'
import { chosenText } from './chosenText.ts'

const file = (...parts: BlobPart[]) => new File(parts, 'people.csv')
const told = () => toastStore.get().map(({ title }) => title)

it('reads a file of Excel on Windows, whose letters were lost', async () => {
  expect(await chosenText(file(new Uint8Array([0x4b, 0xe5, 0x72, 0x65])), 100)).toBe('Kåre')
  expect(told()).toEqual([])
})

it('says why a file is not read', async () => {
  expect(await chosenText(file('Kåre\n', new Uint8Array([0xe5])), 100)).toBeUndefined()
  expect(await chosenText(file('x'.repeat(101)), 100)).toBeUndefined()
  expect(await chosenText(file('x'.repeat(2_000_001)), 500_000)).toBeUndefined()
  expect(told()).toEqual([
    'people.csv: Line 1 is in UTF-8 and line 2 is not: save the whole file as UTF-8',
    'people.csv has 101 characters, more than 100: import the file in parts',
    'people.csv has 3 MB, more than 2 MB: import the file in parts',
  ])
})
