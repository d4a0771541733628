import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The opening tags of Mantine's Button in a file: braces keep an arrow function from ending the tag. */
function buttonsIn(text: string): string[] {
  const tags: string[] = []
  for (const { index } of text.matchAll(/<Button\b/g)) {
    let depth = 0
    let end = index
    while (end < text.length && (depth > 0 || text[end] !== '>')) {
      if (text[end] === '{') depth += 1
      if (text[end] === '}') depth -= 1
      end += 1
    }
    tags.push(text.slice(index, end))
  }
  return tags
}

// the kit's own forms and dialogs say beside the button what is missing
const files = globSync('*/**/*.tsx', { cwd: import.meta.dirname }).filter(
  (file) => !/^(?:dist|kit|node_modules)\//.test(file),
)

test('every button that can be disabled says why: screens use ActButton with a reason', () => {
  const silent = files.flatMap((file) =>
    buttonsIn(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
      .filter((tag) => /\sdisabled(?:=|\s|$)/.test(tag))
      .map((tag) => `${file}: ${tag.replace(/\s+/g, ' ')}`),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(silent).toEqual([])
})

test('the check finds a button behind an arrow function', () => {
  expect(buttonsIn('<Button onClick={() => go()} disabled={!name}>Go</Button>')[0]).toContain('disabled={!name}')
})
