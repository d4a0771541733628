import { UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import css from './FilterBar.module.css'
import type { FilterChoice } from './FilterBar.tsx'

interface Props {
  choice: FilterChoice
  values: readonly string[]
  choose: (values: string[]) => void
}

/** The choice of one filter, several at a time. */
export const FilterOptions = ({ choice, values, choose }: Props) => (
  <fieldset className={css.options} aria-label={choice.label}>
    {choice.options.map(({ value, label }) => {
      const on = values.includes(value)
      return (
        <UnstyledButton
          key={value}
          className={css.option}
          aria-pressed={on}
          onClick={() => choose(on ? values.filter((one) => one !== value) : [...values, value])}
        >
          <IconCheck size={14} opacity={on ? 1 : 0} />
          {label}
        </UnstyledButton>
      )
    })}
  </fieldset>
)
