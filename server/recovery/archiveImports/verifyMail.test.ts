import { expect, it } from 'vitest'
import { reportMail } from './verifyMail.ts'

const box = {
  ...{
    hash: 'none' as const,
    quotaMb: null,
    forwards: [],
    keepCopy: true,
    autoReply: null,
    suspended: false,
    bytes: 30,
  },
  ...{ name: 'Kari', messages: 3 },
}
const domain = 'post.example.org'
const found = [
  {
    ...{ domain, catchAll: null, dkim: false, suspended: false, refused: {}, fault: null, aliases: [] },
    mailboxes: [box],
  },
]
const made = [{ id: 7, domain, from: domain, users: [{ userId: 9, address: `kari@${domain}` }] }]
const verdicts = (written: object, messages: number) =>
  reportMail(
    found,
    made,
    (name, id) =>
      name === 'archive.mail' && id === 7 ? { mailboxes: [{ userId: 9, refused: {}, ...written }] } : undefined,
    [{ mailboxId: 7, mailboxes: [{ userId: 9, messages }] }],
  ).map(({ verdict, archive, here }) => [verdict, archive, here])

it('counts mail that arrives during the copy apart, and does not let it hide a lost message', () => {
  expect(verdicts({ messages: 3 }, 3)).toEqual([['same', '3', '3']])
  expect(verdicts({ messages: 3 }, 5)).toEqual([
    ['same', '3', '3'],
    ['kept', '0', '2'],
  ])
  expect(verdicts({ messages: 3 }, 2)).toEqual([['differs', '3', '2']])
  expect(verdicts({ messages: 3, refused: { 'name occurs twice': 1 } }, 5)[0]).toEqual(['differs', '3', '2'])
  // a message keeps its setuid bit to itself
  expect(verdicts({ messages: 3, refused: { 'setuid or setgid bit is dropped': 3 } }, 3)).toEqual([['same', '3', '3']])
})
