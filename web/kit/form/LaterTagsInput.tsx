/** Loads after the form that shows it: see TagsInputField. */
export { TagsInput as default } from '@mantine/core'
