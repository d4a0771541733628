import { SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '../kit/form/DateField.tsx'
import { DateTimeField } from '../kit/form/DateTimeField.tsx'
import { MomentField } from '../kit/form/MomentField.tsx'
import { TimeField } from '../kit/form/TimeField.tsx'
import { ZoneField } from '../kit/form/ZoneField.tsx'
import { Section } from '../kit/frame/Section.tsx'

const columns = { base: 1, sm: 2 }

/** Day, time and moment fields: filled, empty, limited and refused. */
export function Dates() {
  const [day, setDay] = useState('2026-11-21')
  const [bounded, setBounded] = useState('2026-12-24')
  const [time, setTime] = useState('14:02')
  const [local, setLocal] = useState('2026-11-21T14:02')
  const [zone, setZone] = useState('Europe/Oslo')
  const [moment, setMoment] = useState('')
  return (
    <Section title="Days and times" hint="typed in the house format or as ISO 8601, or chosen">
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18} maw={640}>
        <DateField label="Day" value={day} onChange={setDay} />
        <DateField
          label="Day within limits"
          description="From today until 20 Dec 2026"
          required
          min="2026-11-23"
          max="2026-12-20"
          value={bounded}
          onChange={setBounded}
        />
        <DateTimeField label="Day and time" zone={zone} value={local} onChange={setLocal} />
        <ZoneField field={{ name: 'zone', value: zone, onChange: setZone, onBlur: () => undefined, required: true }} />
        <MomentField label="Moment" value={moment} onChange={setMoment} error={moment ? undefined : 'Required'} />
        <TimeField label="Time" value={time} onChange={setTime} />
        <DateField label="Not yours to change" disabled value="2026-11-21" onChange={() => undefined} />
      </SimpleGrid>
      <Text c="dimmed" fz="xs" mt={14} className="mono" aria-label="Held by the form">
        {[day, bounded, local, zone, moment || '–', time].join(' · ')}
      </Text>
    </Section>
  )
}
