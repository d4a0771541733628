import { expect, it } from 'vitest'
import { fileText } from './fileText.ts'

const utf8 = new TextEncoder()
const windows = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

it('reads UTF-8, UTF-16 with its mark, and the encoding of Excel on Windows', () => {
  expect(fileText(utf8.encode('Title\nKjøkken'))).toEqual({ text: 'Title\nKjøkken' })
  expect(fileText(windows('Title\nKjøkken'))).toEqual({ text: 'Title\nKjøkken' })
  const wide = new Uint8Array([0xff, 0xfe, ...[...'Så'].flatMap((sign) => [sign.charCodeAt(0), 0])])
  expect(fileText(wide)).toEqual({ text: 'Så' })
})

it('reads UTF-16 without its mark, and refuses one that is cut', () => {
  const text = 'Title;Where\nKjøkken;东京　€\n'
  const little = new Uint8Array(Uint16Array.from(text, (sign) => sign.charCodeAt(0)).buffer)
  expect(fileText(little)).toEqual({ text })
  const big = little.map((_, at) => little[at ^ 1] ?? 0)
  expect(fileText(big)).toEqual({ text })
  const cut = { problem: 'A letter of the file is cut or damaged: save it again, as UTF-8' }
  expect(fileText(little.subarray(0, little.length - 1))).toEqual(cut)
  expect(fileText(new Uint8Array([0xff, 0xfe, ...little.subarray(0, 5)]))).toEqual(cut)
  const withZero = new Uint8Array([...utf8.encode('Title,Text\nOne,two'), 0, ...utf8.encode(' three\n')])
  expect(fileText(withZero)).toHaveProperty('problem')
})

it('refuses mixed encodings with their lines, and files that are no text', () => {
  const mixed = new Uint8Array([...utf8.encode('Title\nKjøkken\n'), ...windows('Bad på loftet\n')])
  expect(fileText(mixed)).toEqual({ problem: 'Line 2 is in UTF-8 and line 3 is not: save the whole file as UTF-8' })
  expect(fileText(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toEqual({
    problem: 'This is not a text file: save a table as CSV, a certificate as PEM',
  })
})
