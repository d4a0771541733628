import { expect, it } from 'vitest'
import type { Reach } from '../../../../kit/outgoing/reach.ts'
import type { Asked } from './adapter.ts'
import { NotAnswered } from './ask.ts'
import { type Desk, readDesk } from './desk.ts'

const asked: Asked = { reach: {} as Reach, config: {}, secret: '', cursor: null, unread: [] } // nothing is reached
const silence = Object.assign(new NotAnswered('no usable answer'), { isSilent: true })

/** A help desk with forty items that answers as long as `answers` says. */
const deskOf = (answers: (id: number) => boolean): Desk<number> => ({
  noun: 'ticket',
  async *changed() {
    yield Array.from({ length: 40 }, (_, n) => n + 1)
  },
  idOf: (id) => id,
  changedAt: (id) => new Date(id * 1000).toISOString(),
  one: async (id) => id,
  item: async (id) => {
    if (!answers(id)) throw silence
    return { kind: 'ticket', id: String(id), messages: [] }
  },
})
async function read(desk: Desk<number>) {
  const found: { cursor?: string | undefined; unread?: string | undefined }[] = []
  const ended = await (async () => {
    for await (const one of readDesk(desk, asked)) found.push(one)
  })().catch((error: Error) => error.message)
  return { found, ended }
}

it('goes on after an item that gets no answer, and ends when the help desk is away', async () => {
  const one = await read(deskOf((id) => id % 7 !== 0))
  expect([one.ended, one.found.length]).toEqual([undefined, 40])
  expect(one.found.flatMap(({ unread }) => unread ?? [])).toEqual(['7', '14', '21', '28', '35'])
  const away = await read(deskOf((id) => id <= 12))
  expect(away.ended).toBe('the help desk no longer answers')
  expect(away.found.map(({ cursor }) => cursor !== undefined)).toEqual([
    ...Array.from({ length: 12 }, () => true),
    ...Array.from({ length: 5 }, () => false), // read again by the next run
  ])
})
