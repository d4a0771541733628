/** Loads after the form that shows it: see MultiSelectField. */
export { MultiSelect as default } from '@mantine/core'
