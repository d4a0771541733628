import type { CronFilter } from '@innkeeper/contract/quality/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ago, count } from '../../../kit/look/format.ts'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { qcTicketsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { CronFields, cronLabels, cronValues } from './CronFields.tsx'
import { useEditForm } from './useEditForm.ts'

export default numbered('id', CronEditScreen)

function CronEditScreen({ id }: { id: number }) {
  const query = useQuery(qcTicketsApi.cronFilter.query({ id }))
  return query.data ? <Form filter={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ filter }: { filter: CronFilter }) {
  const { form, screen } = useEditForm(qcTicketsApi.updateCronFilter, filter, {
    list: usePaths().cron,
    values: cronValues,
    labels: cronLabels,
  })
  return (
    <FormScreen
      {...screen}
      meta={filter.lastRunAt ? `Ran ${ago(filter.lastRunAt)}` : 'Has not run yet'}
      left="Tickets that it has queued stay queued."
      save="Save cron filter"
    >
      <CronFields values={form.values} text={form.text} field={form.field} />
      <Runs filter={filter} />
    </FormScreen>
  )
}

const Runs = ({ filter: { runs } }: { filter: CronFilter }) => (
  <Section title="Runs" hint={runs.length ? `the last ${count(runs.length)}` : undefined}>
    <Timeline
      label="Runs"
      empty="The filter has not run yet."
      entries={runs.map(({ id, at, matched, queued, capped, error }) => ({
        id,
        at,
        title: error ?? `${count(queued)} queued`,
        note: error ? undefined : `${count(matched)} matched${capped ? `, ${count(capped)} left out per agent` : ''}`,
        ...(error && { mark: { shape: 'cross' as const, colour: 'error' as const } }),
      }))}
    />
  </Section>
)
