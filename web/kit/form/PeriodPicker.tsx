import { Button, Popover, SimpleGrid, UnstyledButton } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { today as dayToday } from '../calendar/days.ts'
import { useZone } from '../look/zone.ts'
import { DateField } from './DateField.tsx'
import css from './PeriodPicker.module.css'
import { type Period, type Preset, periodOf, periodText, presetOf, presets } from './periods.ts'

interface Props {
  /** Name of the field: "Period of the report". */
  label: string
  value: Period
  onChange: (period: Period) => void
  /** Presets to offer; all by default. */
  offers?: readonly Preset[]
}

const all = Object.keys(presets) as Preset[]

/** A period: a preset, or a first and last day. The button shows the choice. */
export function PeriodPicker({ label, value, onChange, offers = all }: Props) {
  const today = dayToday(useZone())
  const [opened, setOpened] = useState(false)
  const chosen = presetOf(value, today)
  return (
    <Popover position="bottom-start" trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          variant="default"
          w="fit-content"
          leftSection={<IconCalendar size={16} aria-hidden />}
          aria-label={`${label}: ${periodText(value, today)}`}
          onClick={() => setOpened(!opened)}
        >
          {periodText(value, today)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p={8}>
        <fieldset className={css.presets} aria-label="Usual periods">
          {offers.map((preset) => (
            <UnstyledButton
              key={preset}
              className={css.preset}
              aria-pressed={preset === chosen}
              data-autofocus={preset === (chosen ?? offers[0]) || undefined}
              onClick={() => {
                onChange(periodOf(preset, today))
                setOpened(false)
              }}
            >
              {presets[preset]}
            </UnstyledButton>
          ))}
        </fieldset>
        <SimpleGrid cols={2} spacing={8} mt={8} className={css.ends}>
          <DateField
            label="From"
            required
            withAsterisk={false}
            value={value.from}
            onChange={(from) => from && onChange({ from, to: from > value.to ? from : value.to })}
          />
          <DateField
            label="To"
            required
            withAsterisk={false}
            min={value.from}
            value={value.to}
            onChange={(to) => to >= value.from && onChange({ from: value.from, to })}
          />
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  )
}
