import { expect, it } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { isWhole } from '../bin/slice.ts'
import { MESSAGES, openTexts } from './texts.ts'

const LIMIT_MS = isWhole ? 60_000 : 15_000

it(`sends ${MESSAGES} messages within ${LIMIT_MS / 1000} s`, async () => {
  const { line, send, countsOf, close } = await openTexts('http', 1)
  try {
    const began = performance.now()
    const { id } = await send()
    while (line.sent.size < MESSAGES && performance.now() - began < LIMIT_MS) await letPass(20, 'between two looks')
    const ms = performance.now() - began
    console.log(`${line.sent.size} messages in ${Math.round(ms)} ms`)
    expect(line.sent.size).toBe(MESSAGES)
    await expect.poll(async () => (await countsOf(id)).sent).toBe(MESSAGES)
  } finally {
    await close()
  }
})
