import type { DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Button, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { Actions } from './Actions.tsx'
import { scrumsApi } from './api.ts'
import { percent } from './words.ts'

interface Item {
  componentId: number
  score: number | null
  comment: string
}

const itemsOf = ({ items }: DevAudit): Item[] =>
  items.map(({ componentId, score, comment }) => ({ componentId, score, comment }))

/** The draft of an audit: a score and a comment per component, saved or submitted. */
export function AuditForm({ audit }: { audit: DevAudit }) {
  const navigate = useNavigate()
  const opened = useOpened(audit)
  const { id, version, scale } = opened
  const form = useCallForm(scrumsApi.updateAudit, {
    initial: {
      ...{ name: opened.name, periodStart: opened.periodStart, periodEnd: opened.periodEnd, summary: opened.summary },
      items: itemsOf(opened),
      status: 'draft' as 'draft' | 'submitted',
      version,
    },
    fixed: { id },
    labels: { name: 'Name', items: 'Scores', summary: 'Summary' },
    valuesOf: (stored: DevAudit) => ({ items: itemsOf(stored) }),
    onDone: (saved) => {
      void readAgain(['scrums'])
      toast.success(saved.status === 'submitted' ? `${saved.user.name} can read it now` : `${saved.name} is saved`)
      void navigate({ to: '/scrums/audits/all' })
    },
  })
  const { items } = form.values
  const change = (n: number, part: Partial<Item>) =>
    form.set(
      'items',
      items.map((item, at) => (at === n ? { ...item, ...part } : item)),
    )
  return (
    <FormScreen
      form={form}
      title={opened.name}
      meta={`Draft, ${opened.user.name}`}
      nothing="Nothing was saved."
      width={720}
      side={<Actions audit={audit} />}
      edits
      left={`${percent(totalOf(items, opened))} so far.`}
      save={form.values.status === 'submitted' ? 'Submit audit' : 'Save draft'}
      onCancel={() => void navigate({ to: '/scrums/audits/all' })}
      extra={
        <Button
          variant="default"
          onClick={() => form.set('status', form.values.status === 'draft' ? 'submitted' : 'draft')}
        >
          {form.values.status === 'draft' ? 'Submit instead' : 'Keep as draft'}
        </Button>
      }
    >
      <TextInput label="Name" autoComplete="off" {...form.text('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField label="From" {...form.field('periodStart')} />
        <DateField label="To" {...form.field('periodEnd')} />
      </SimpleGrid>
      <Section title="Scores" hint={`0 to ${scale}, empty: not applicable`}>
        <Stack gap={14}>
          {opened.items.map(({ componentId, name, weight }, n) => (
            <SimpleGrid key={componentId} cols={{ base: 1, xs: 2 }}>
              <NumberField
                label={name}
                description={`Weight ${weight}`}
                min={0}
                max={scale}
                allowDecimal={false}
                value={items[n]?.score ?? ''}
                onChange={(next) => change(n, { score: next === '' ? null : Number(next) })}
                error={form.refused[`items.${n}.score`]}
              />
              <Textarea
                label={`Comment on ${name}`}
                autosize
                minRows={2}
                value={items[n]?.comment ?? ''}
                onChange={(event) => change(n, { comment: event.currentTarget.value })}
                error={form.refused[`items.${n}.comment`]}
              />
            </SimpleGrid>
          ))}
          {opened.items.length === 0 && <Text c="dimmed">No component is active. Create one first.</Text>}
        </Stack>
      </Section>
      <Textarea label="Summary" autosize minRows={3} {...form.text('summary')} />
    </FormScreen>
  )
}

/** The total in percent, by the same formula as on the server. */
function totalOf(items: readonly Item[], { scale, items: known }: DevAudit): number | null {
  const scored = items.flatMap(({ score }, n) => (score === null ? [] : [{ score, weight: known[n]?.weight ?? 0 }]))
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0)
  return weights ? (100 * scored.reduce((sum, one) => sum + one.score * one.weight, 0)) / (weights * scale) : null
}
