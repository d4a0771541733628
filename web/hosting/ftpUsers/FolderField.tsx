import { TextInput } from '@mantine/core'
import type { TextProps } from '../../kit/form/useCallForm.ts'

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** A folder within the website. */
export const FolderField = (props: TextProps) => (
  <TextInput
    label="Folder"
    description="Counts from the folder of the website, such as public/uploads; / is the whole website. The user cannot leave the folder. A missing folder is created."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    styles={mono}
    {...props}
  />
)
