import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { AutoReply } from '@innkeeper/contract/net/mailboxes/mail'
import { ensureDirectory, must, remove, replace } from '../../kit/host.ts'
import { type MailDomain, replyFile, sieveFolder, thresholdFile } from './mailFiles.ts'

/** Mail that rspamd marks goes into the folder Junk. */
export const junkFile = `${sieveFolder}/junk.sieve`
const junkIf = (condition: string) => `require ["fileinto", "mailbox"];
if ${condition} { fileinto :create "Junk"; stop; }
`
const junk = junkIf('header :contains "X-Spam" "Yes"')
/** rspamd writes one star for each whole point of the score. A sender who forges stars only sends their own mail into Junk. */
const junkFrom = (score: number) => junkIf(`header :contains "X-Spam-Level" "${'*'.repeat(score)}"`)
const compiler = '/usr/bin/sievec'

/** Writes and compiles the scripts of Sieve; Dovecot runs them and cannot write there. */
export async function writeSieve(all: readonly MailDomain[]): Promise<void> {
  if (!existsSync(compiler)) return
  await ensureDirectory(sieveFolder, { mode: 0o755 })
  const wanted = new Map([[junkFile, junk]])
  for (const { domain, users } of all)
    for (const { userId, localPart, autoReply, spamScore } of users) {
      if (spamScore) wanted.set(thresholdFile(spamScore), junkFrom(spamScore))
      if (autoReply) wanted.set(replyFile(userId), replyText(autoReply, `${localPart}@${domain}`))
    }
  for (const name of await readdir(sieveFolder)) {
    const file = `${sieveFolder}/${name}`
    if (!wanted.has(file.replace(/\.svbin$/, '.sieve'))) await remove(file)
  }
  for (const [file, text] of wanted)
    if ((await replace(file, text)) || !existsSync(file.replace(/\.sieve$/, '.svbin'))) await must([compiler, file])
}

const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** Answers each sender once in seven days, and never answers mailing lists or automatic mail, as RFC 5230 requires. */
function replyText({ subject, text, from, until }: AutoReply, address: string): string {
  const days = [
    ...(from ? [`currentdate :value "ge" "date" ${quoted(from)}`] : []),
    ...(until ? [`currentdate :value "le" "date" ${quoted(until)}`] : []),
  ]
  return `require ["vacation", "date", "relational"];
if allof(${[...days, 'not header :contains "X-Spam" "Yes"'].join(', ')}) {
  vacation :days 7 :from ${quoted(address)} :addresses [${quoted(address)}] :subject ${quoted(subject)} ${quoted(text)};
}
`
}
