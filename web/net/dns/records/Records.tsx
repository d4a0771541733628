import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { recordTypes } from '@innkeeper/contract/net/dns/recordTypes'
import { Button, VisuallyHidden } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { SaveBar } from '../../../kit/form/SaveBar.tsx'
import { EmptyState, ErrorState } from '../../../kit/frame/emptyStates.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListFooter } from '../../../kit/list/ListFooter.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { dnsApi } from '../api.ts'
import { change, remove, rowsOf, size, undo } from './draft.ts'
import { Counts, Notes } from './RecordNotes.tsx'
import { RecordRow } from './RecordRow.tsx'
import css from './Records.module.css'
import { Soa } from './RecordsSoa.tsx'
import { ReviewModal } from './ReviewModal.tsx'
import type { DraftOf } from './useDraft.ts'

const typeOptions = recordTypes.map((type) => ({ value: type, label: type }))
const noun = ['record', 'records'] as const

/** Records of a zone, edited in place and saved as one change. */
export function Records({ zone, edit }: { zone: ZoneView; edit: DraftOf }) {
  const list = useList(dnsApi.records, { filters: ['search', 'type'], size: 100, fixed: { zoneId: zone.id } })
  const reason = useReason()(dnsApi.updateRecords)
  const [reviewing, setReviewing] = useState(false)
  const { draft } = edit
  const rows = rowsOf(list.rows, draft)
  const review = () => void edit.look().then((good) => good && setReviewing(true))
  const save = () => void edit.save()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || edit.empty) return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) save()
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={keys}
      style={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 }}
    >
      <FilterBar
        list={list}
        search={{ key: 'search', placeholder: 'Name or content' }}
        filters={[{ key: 'type', label: 'Type', options: typeOptions }]}
      />
      <Notes edit={edit} />
      {list.error ? (
        <ErrorState title="The records could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div className={css.scroll}>
          <table className={css.records} aria-label={`Records of ${zone.domain}`} aria-busy={list.loading}>
            <thead>
              <tr>
                <th>
                  <VisuallyHidden>Change</VisuallyHidden>
                </th>
                <th>Name</th>
                <th>Type</th>
                <th>TTL</th>
                <th>Prio</th>
                <th>Content</th>
                <th>
                  <VisuallyHidden>Acts</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.page === 1 && Object.keys(list.filters).length === 0 && <Soa soa={zone.soa} />}
              {rows.map((row) => (
                <RecordRow
                  key={row.key}
                  row={row}
                  errors={edit.errors[row.key]}
                  fading={zone.fading.find(({ name, type }) => name === row.was?.name && type === row.was.type)}
                  reason={reason}
                  change={(part) => edit.set(change(draft, rows, row, part))}
                  remove={() => edit.set(remove(draft, row))}
                  undo={() => edit.set(undo(draft, row))}
                />
              ))}
            </tbody>
          </table>
          {!list.loading && rows.length === 0 && (
            <EmptyState
              title="No record matches"
              tag="DNS"
              action={
                <Button variant="default" onClick={() => list.setFilters({})}>
                  Clear search and filters
                </Button>
              }
            >
              No record of this zone has this text in its name or content.
            </EmptyState>
          )}
        </div>
      )}
      {edit.empty ? (
        <ListFooter list={list} noun={noun} selected={0} clear={() => {}} />
      ) : (
        <SaveBar
          left={<Counts {...size(draft)} />}
          save="Save changes"
          busy={edit.busy}
          cancel="Discard"
          onCancel={edit.discard}
          extra={
            <Button variant="default" onClick={review}>
              Review
            </Button>
          }
        />
      )}
      {reviewing && <ReviewModal zone={zone} edit={edit} close={() => setReviewing(false)} />}
    </form>
  )
}
