import type { Line } from './story.ts'

/** A message of the log under one number of the queue. */
export interface Message {
  id: string
  lines: Line[]
  leftOut: number
}

/**
 * Mail of the sendmail program and forwarded mail pass a program of ours, which hands them to Postfix again: they get another
 * number, and the first one says *sent*. Joins both, so that one message is one story with what became of it.
 */
export function joined(messages: readonly Message[]): Message[] {
  const backs = new Map<Message, Message[]>()
  for (const back of messages.filter(({ lines }) => lines.some(({ by }) => cameBack.test(by)))) {
    const [first] = messages
      .filter((one) => one !== back && messageIdOf(one) === messageIdOf(back) && beganAt(one) <= beganAt(back))
      .filter(({ lines }) => lines.some(({ by, text }) => by.endsWith('/pipe') && passes.test(text)))
      .toSorted((a, b) => beganAt(b).localeCompare(beganAt(a)))
    if (first && messageIdOf(back)) backs.set(first, [...(backs.get(first) ?? []), back])
  }
  const later = new Set([...backs.values()].flat())
  return messages
    .filter((message) => !later.has(message))
    .map((message) => withBacks(message, backs.get(message) ?? []))
}

const cameBack = /\/(?:counted|forwarded)\/smtpd$/
const passes = /^to=<.*>, relay=innkeeper-(?:count|forward), /
const beganAt = ({ lines }: Message) => lines[0]?.at ?? ''
const messageIdOf = ({ lines }: Message) =>
  lines.find(({ by, text }) => by.endsWith('/cleanup') && text.startsWith('message-id='))?.text

/** The message is in the queue as long as one of its continuations is. */
function withBacks(message: Message, backs: readonly Message[]): Message {
  if (!backs.length) return message
  const isGone = backs.every(({ lines }) => lines.some(({ text }) => text === 'removed'))
  const lines = [message, ...backs].flatMap((one) =>
    one.lines.filter(({ by, text }) => (text !== 'removed' || isGone) && !(one !== message && cameBack.test(by))),
  )
  const leftOut = backs.reduce((sum, one) => sum + one.leftOut, message.leftOut)
  return { ...message, lines: lines.toSorted((a, b) => a.at.localeCompare(b.at)), leftOut }
}
