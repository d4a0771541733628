import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { Stack, Text } from '@mantine/core'
import { RichText } from './RichText.tsx'

export function TextsOfItem({ item: { description, steps, expected, releaseNote } }: { item: ItemPage }) {
  const parts = [
    ['', description],
    ['Steps', steps],
    ['Expected', expected],
    ['Release note', releaseNote],
  ].filter(([, text]) => text)
  if (!parts.length) return <Text c="dimmed">No description.</Text>
  return (
    <Stack gap={12}>
      {parts.map(([title, text]) => (
        <div key={title}>
          {title && (
            <Text fw={500} mb={4}>
              {title}
            </Text>
          )}
          <RichText text={text ?? ''} />
        </div>
      ))}
    </Stack>
  )
}
