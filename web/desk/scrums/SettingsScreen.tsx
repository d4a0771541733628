import { type ScrumSettings, scales } from '@innkeeper/contract/desk/scrums/shapes'
import { Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { scrumsApi } from './api.ts'

/** The numbers of the form: key, label, hint, least and most. */
const numbers = [
  ['periodDays', 'Length of a period, days', 'What a new audit proposes', 1, 366],
  ['commentBelow', 'Comment needed below, %', 'Of the highest score', 0, 100],
  ['remindDays', 'Reminder after, days', '0: nobody is reminded', 0, 90],
] as const

export default function SettingsScreen() {
  const query = useQuery(scrumsApi.settings.query())
  return query.data ? <Form settings={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ settings }: { settings: ScrumSettings }) {
  const navigate = useNavigate()
  const form = useCallForm(scrumsApi.updateSettings, {
    initial: settings,
    labels: { scale: 'Highest score' },
    onDone: () => {
      void readAgain(['scrums'])
      toast.success('The settings of audits are saved')
    },
  })
  const scale = form.field('scale')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title="Scrum settings"
      left="Existing audits keep their scale."
      save="Save settings"
      onCancel={() => void navigate({ to: '/scrums/audits/all' })}
    >
      <Select
        label="Highest score"
        maw={220}
        allowDeselect={false}
        data={scales.map(String)}
        value={String(scale.value)}
        onChange={(next) => scale.onChange(scales.find((one) => String(one) === next) ?? 5)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {numbers.map(([key, label, hint, min, max]) => {
          const { onChange, ...rest } = form.field(key)
          return (
            <NumberField
              key={key}
              label={label}
              description={hint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={min}
              max={max}
              allowDecimal={false}
              {...rest}
              onChange={(next) => onChange(Number(next) || 0)}
            />
          )
        })}
      </SimpleGrid>
    </FormScreen>
  )
}
