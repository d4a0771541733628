import { readdir } from 'node:fs/promises'
import { type MailReport, REPORTS_TO } from '@innkeeper/contract/net/mailboxes/reports'
import type { Driver } from '../../kit/driver.ts'
import { absent, read, remove } from '../../kit/host.ts'
import { reportsFolder } from './mailHand.ts'
import { reportIn } from './reportParts.ts'
import { readReport } from './reports.ts'

const AT_ONCE = 20
const fileOf = (name: string) => `${reportsFolder}/${name}`

/**
 * Takes reports of other mail servers out of the folder into which Postfix puts them, the oldest first. `taken`: files
 * that the control plane has stored; they go. Mail that is no report goes too, with its reason in `others`.
 */
export const readMailReports: Driver<'mail-reports.read'> = {
  async run({ input: { taken }, fence, say }) {
    fence()
    for (const name of taken) await remove(fileOf(name))
    const names = ((await readdir(reportsFolder).catch(absent)) ?? []).filter((name) => /^\d+-\d+$/.test(name)).sort()
    const reports: { file: string; domain: string; report: MailReport }[] = []
    const others: string[] = []
    for (const name of names.slice(0, AT_ONCE)) {
      const mail = ((await read(fileOf(name))) ?? '').replaceAll('\r\n', '\n')
      const domain = /^Delivered-To: mail-reports@([a-z0-9.-]{4,253})\n/.exec(mail)?.[1]
      try {
        const text = reportIn(mail)
        if (text === undefined || domain === undefined) throw new Error('the mail contains no report')
        const report = readReport(text)
        if (report.domain !== domain) throw new Error(`the report is about ${report.domain}`)
        reports.push({ file: name, domain, report })
      } catch (error) {
        others.push(`${domain ?? REPORTS_TO}: ${error instanceof Error ? error.message.slice(0, 200) : error}`)
        await remove(fileOf(name))
      }
    }
    if (others.length) say(`${others.length} mails to ${REPORTS_TO} were no reports: ${others.join('; ')}`)
    return { reports, others, more: names.length > AT_ONCE }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a repeat is harmless
}
