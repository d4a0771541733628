import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { moment } from '../../kit/look/format.ts'
import css from '../../kit/look/print.module.css'
import { fileOf, kinds } from './words.ts'

/** Plan and comparison for paper, for the customer whose websites were imported. */
export default function PrintPlan({ one, done }: { one: ArchiveImportView; done: () => void }) {
  useEffect(() => {
    globalThis.addEventListener('afterprint', done)
    globalThis.print()
    return () => globalThis.removeEventListener('afterprint', done)
  }, [done])
  return createPortal(
    <section className={css.paper} data-print-paper>
      <h1>Import of {fileOf(one)}</h1>
      <p>
        To {one.serverName}, for {one.ownerName}, {moment(one.updatedAt)}
      </p>
      <table>
        <thead>
          <tr>
            <th>What</th>
            <th>Name</th>
            <th>Verdict</th>
            <th>Notes</th>
          </tr>
        </thead>
        <tbody>
          {one.plan?.map(({ key, kind, name, verdict, detail, notes }) => (
            <tr key={key}>
              <td>{kinds[kind]}</td>
              <td>{name}</td>
              <td>{verdict}</td>
              <td>{[detail, ...notes].filter(Boolean).join('; ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {one.report && (
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
            {one.report.map(({ kind, name, what, archive, here, verdict }) => (
              <tr key={`${kind} ${name} ${what} ${archive}`}>
                <td>{name}</td>
                <td>{what}</td>
                <td>{archive}</td>
                <td>{here}</td>
                <td>{verdict}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {one.cutOver && (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Record that leads here</th>
              <th>Record now</th>
            </tr>
          </thead>
          <tbody>
            {one.cutOver.names.map(({ name, what, wanted, now }) => (
              <tr key={`${what} ${name} ${wanted.join()}`}>
                <td>{name}</td>
                <td>{wanted.join(' or ')}</td>
                <td>{now.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>,
    document.body,
  )
}
