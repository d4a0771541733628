/** Loads after the form that shows it: see NumberField. */
export { NumberInput as default } from '@mantine/core'
