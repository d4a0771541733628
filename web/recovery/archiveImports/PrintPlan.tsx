import type { ArchiveImportView, PlanLine, ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { counted, moment } from '../../kit/look/format.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import css from './PrintPlan.module.css'
import { accountKinds } from './passwords/words.ts'
import { fileOf, formats, kinds } from './words.ts'

interface Props {
  one: ArchiveImportView
  /** The plan as it is drawn now, before it is started. */
  drawn?: readonly PlanLine[] | undefined
  done: () => void
}

/** Plan, comparison and open ends for paper or PDF, for the customer whose websites are imported. */
export default function PrintPlan({ one, drawn, done }: Props) {
  useEffect(() => {
    const { title } = document
    // browsers name the PDF by the title
    document.title = `${drawn ? 'Plan' : 'Report'} of the import of ${fileOf(one)}`
    globalThis.addEventListener('afterprint', done)
    globalThis.print()
    return () => {
      document.title = title
      globalThis.removeEventListener('afterprint', done)
    }
  }, [done, drawn, one])
  const { report, cutOver, passwords } = one
  const lines = drawn ?? one.plan ?? []
  return createPortal(
    <section className={css.paper} data-print-paper>
      <h1>Import of {fileOf(one)}</h1>
      <p>
        {one.format && one.account ? `${formats[one.format]}, account ${one.account}. ` : ''}To the server{' '}
        {one.serverName}
        {one.ownerName ? `, for ${one.ownerName}` : ''}. {drawn ? 'Plan' : stateOf(one.status).word} as of{' '}
        {moment(drawn ? new Date() : one.updatedAt)}.
      </p>
      <h2>{drawn ? 'What will become of each thing' : 'What became of each thing'}</h2>
      <Plan lines={lines} />
      {!drawn && report && <Comparison lines={report} />}
      {!drawn && passwords.length > 0 && (
        <>
          <h2>New passwords</h2>
          <p>These could not be carried. Each is shown once by a link that comes separately.</p>
          <table>
            <thead>
              <tr>
                <th>What</th>
                <th>Account</th>
              </tr>
            </thead>
            <tbody>
              {passwords.map(({ id, kind, login }) => (
                <tr key={id}>
                  <td>{accountKinds[kind]}</td>
                  <td className={css.name}>{login}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {!drawn && cutOver && (
        <>
          <h2>DNS records</h2>
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Should be</th>
                <th>Is now</th>
              </tr>
            </thead>
            <tbody>
              {cutOver.names.map(({ name, what, wanted, now }) => (
                <tr key={`${what} ${name} ${wanted.join()}`}>
                  <td className={css.name}>{name}</td>
                  <td>{wanted.join(' or ') || 'unknown'}</td>
                  <td>{now.join(', ') || 'nothing'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>,
    document.body,
  )
}

const Plan = ({ lines }: { lines: readonly PlanLine[] }) => (
  <table>
    <thead>
      <tr>
        <th>What</th>
        <th>Name, and what changes</th>
        <th>Verdict</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ key, kind, name, verdict, detail, notes }) => (
        <tr key={key}>
          <td>{kinds[kind]}</td>
          <td>
            <span className={css.name}>{name}</span>
            {detail && <div>{detail}</div>}
            {notes.length > 0 && (
              <ul>
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </td>
          <td>{stateOf(verdict).word}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function Comparison({ lines }: { lines: readonly ReportLine[] }) {
  const bad = lines.filter(({ verdict }) => verdict === 'differs').length
  return (
    <>
      <h2>Comparison with the former server</h2>
      <p>
        {counted(lines.length, ['comparison', 'comparisons'])},{' '}
        {bad ? counted(bad, ['differs', 'differ']) : 'none differs'}.
      </p>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>What</th>
            <th>Archive</th>
            <th>Here</th>
            <th>Verdict</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ kind, name, what, archive, here, verdict }) => (
            <tr key={`${kind} ${name} ${what} ${archive}`} data-differs={verdict === 'differs' || undefined}>
              <td>{name}</td>
              <td>{what}</td>
              <td>{archive}</td>
              <td>{here}</td>
              <td>{stateOf(verdict).word}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
