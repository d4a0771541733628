import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'

/** Loads after the form that shows it: see MultiSelectField. Enter takes the first option that fits what was typed. */
export default function LaterMultiSelect(props: MultiSelectProps) {
  const [typed, setTyped] = useState('')
  return (
    <MultiSelect selectFirstOptionOnChange={typed !== ''} searchValue={typed} onSearchChange={setTyped} {...props} />
  )
}
