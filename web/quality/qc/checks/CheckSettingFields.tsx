import { countedHours, languages, roles, speakers } from '@innkeeper/contract/quality/qc/checks'
import { Select, SimpleGrid } from '@mantine/core'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import { type CheckForm, checkLabels } from './values.ts'
import { hoursNames, languageOptions, ofPhrases, ofSpeaker, ofTime, roleNames, speakerNames } from './words.ts'

const hints = {
  words: 'Whole words, without regard to case. Enter ends a phrase',
  patterns: 'Regular expressions in the syntax of RE2, for example refund(ed|s)?',
  hosts: 'With their subdomains, for example example.com',
} as const

/** The fields that the chosen check has. */
export function CheckSettingFields({ values: { check }, field }: Pick<CheckForm, 'values' | 'field'>) {
  const lists = [
    ...(ofPhrases.includes(check) ? (['words', 'patterns'] as const) : []),
    ...(check === 'links' ? (['hosts'] as const) : []),
  ]
  const [who, minutes, hours, below] = [field('who'), field('minutes'), field('hours'), field('below')]
  const [closers, spoken] = [field('closers'), field('languages')]
  return (
    <>
      {ofTime.includes(check) && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            label={checkLabels.minutes}
            min={1}
            max={525_600}
            value={minutes.value}
            onChange={(next) => minutes.onChange(Number(next) || 1)}
            onBlur={minutes.onBlur}
            error={minutes.error}
          />
          <Select
            label={checkLabels.hours}
            description="Of the roster: only while somebody of the department has a published shift. A department without shifts has no result"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            allowDeselect={false}
            data={countedHours.map((value) => ({ value, label: hoursNames[value] }))}
            value={hours.value}
            onChange={(next) => hours.onChange(countedHours.find((one) => one === next) ?? 'clock')}
          />
        </SimpleGrid>
      )}
      {ofSpeaker.includes(check) && (
        <Select
          label={checkLabels.who}
          allowDeselect={false}
          data={speakers.map((value) => ({ value, label: speakerNames[value] }))}
          value={who.value}
          onChange={(next) => who.onChange(speakers.find((one) => one === next) ?? 'agent')}
        />
      )}
      {lists.map((key) => {
        const { value, onChange, onBlur, error } = field(key)
        return (
          <TagsInputField
            key={key}
            label={checkLabels[key]}
            description={hints[key]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            splitChars={[]}
            acceptValueOnBlur
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            error={error}
          />
        )
      })}
      {check === 'closedBy' && (
        <MultiSelectField
          label={checkLabels.closers}
          data={roles.map((value) => ({ value, label: roleNames[value] }))}
          value={closers.value}
          onChange={(next) => closers.onChange(roles.filter((one) => next.includes(one)))}
          onBlur={closers.onBlur}
          error={closers.error}
        />
      )}
      {check === 'language' && (
        <MultiSelectField
          label={checkLabels.languages}
          placeholder={spoken.value.length ? undefined : 'That of the customer'}
          searchable
          data={languageOptions}
          value={spoken.value}
          onChange={(next) => spoken.onChange(languages.filter((one) => next.includes(one)))}
          onBlur={spoken.onBlur}
          error={spoken.error}
        />
      )}
      {check === 'sentiment' && (
        <NumberField
          label={checkLabels.below}
          min={-500}
          max={100}
          value={below.value}
          onChange={(next) => below.onChange(Number(next) || 0)}
          onBlur={below.onBlur}
          error={below.error}
        />
      )}
    </>
  )
}
