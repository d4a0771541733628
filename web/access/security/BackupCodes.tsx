import { Button, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Mono } from '../../kit/look/Mono.tsx'

/** Backup codes, shown once. Each signs in once without the authenticator. */
export const BackupCodes = ({ codes, done }: { codes: readonly string[]; done: () => void }) => (
  <Stack gap={14}>
    <Text>
      Keep these backup codes apart from your phone. Each replaces the code of your phone once. They are not shown
      again.
    </Text>
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={4}>
      {codes.map((code) => (
        <Mono key={code}>{code}</Mono>
      ))}
    </SimpleGrid>
    <Group gap={8}>
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button onClick={done}>I have kept them</Button>
    </Group>
  </Stack>
)
