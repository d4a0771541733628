import { Button, FileButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { chosenText } from './chosenText.ts'

/** Puts the text of a file into a field. Files that are no text, have mixed encodings or are too long are refused. */
export function TextFileButton({ most, onText }: { most: number; onText: (text: string) => void }) {
  const choose = async (file: File | null) => {
    const text = file && (await chosenText(file, most))
    if (typeof text === 'string') onText(text)
  }
  return (
    <FileButton onChange={(file) => void choose(file)}>
      {(props) => (
        <Button {...props} size="xs" variant="default" leftSection={<IconFileUpload size={14} />}>
          Choose a file
        </Button>
      )}
    </FileButton>
  )
}
