import { UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import css from './FilterBar.module.css'
import type { FilterChoice } from './FilterBar.tsx'

interface Props {
  choice: FilterChoice
  values: readonly string[]
  choose: (values: string[]) => void
}

/** The choice of one filter, several at a time unless the call takes one. */
export const FilterOptions = ({ choice: { label: title, options, single }, values, choose }: Props) => (
  <fieldset className={css.options} aria-label={title}>
    {options.map(({ value, label }) => {
      const on = values.includes(value)
      return (
        <UnstyledButton
          key={value}
          className={css.option}
          aria-pressed={on}
          onClick={() => choose(on ? values.filter((one) => one !== value) : [...(single ? [] : values), value])}
        >
          <IconCheck size={14} opacity={on ? 1 : 0} />
          {label}
        </UnstyledButton>
      )
    })}
  </fieldset>
)
