import { ActionIcon, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { TagsInputField } from '../../../../kit/form/TagsInputField.tsx'
import { ActButton } from '../../../../kit/look/ActButton.tsx'
import type { RuleDraft } from './ruleDraft.ts'

export interface RuleProps {
  draft: RuleDraft
  change: (part: Partial<RuleDraft>) => void
  problems: Record<string, string>
}

/** Rules by path. */
export function PathRows({ draft: { paths }, change, problems }: RuleProps) {
  const set = (at: number, part: Partial<RuleDraft['paths'][number]>) =>
    change({ paths: paths.map((rule, n) => (n === at ? { ...rule, ...part } : rule)) })
  const wrong = (at: number, key: string) =>
    Object.entries(problems).find(([path]) => path.startsWith(`paths.${at}.${key}`))?.[1]
  return (
    <Stack gap={14}>
      <Text c="dimmed">
        A rule applies to all paths that begin with its path; the longest matching path counts. Empty fields use the
        settings of the whole website.
      </Text>
      {paths.map(({ path, minutes, locked, allow }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name while they are typed
        <Group key={at} gap={10} align="flex-start" wrap="wrap">
          <TextInput
            label="Path"
            w={170}
            placeholder="/admin/"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={path}
            onChange={(event) => set(at, { path: event.currentTarget.value })}
            error={wrong(at, 'path') ?? problems[`paths.${at}`]}
          />
          <TextInput
            label="Keep for"
            w={120}
            placeholder="as usual"
            inputMode="numeric"
            rightSection="min"
            rightSectionPointerEvents="none"
            value={minutes}
            onChange={(event) => set(at, { minutes: event.currentTarget.value })}
            error={wrong(at, 'minutes')}
          />
          <TagsInputField
            label="Only these addresses"
            style={{ flex: '1 1 200px' }}
            placeholder={allow.length ? undefined : 'all'}
            splitChars={[',', ' ', ';']}
            value={allow}
            onChange={(networks) => set(at, { allow: networks })}
            error={wrong(at, 'allow')}
          />
          <Checkbox
            label="Password"
            mt={{ base: 4, sm: 28 }}
            checked={locked}
            onChange={(event) => set(at, { locked: event.currentTarget.checked })}
          />
          <ActionIcon
            mt={{ base: 0, sm: 22 }}
            size={32}
            variant="subtle"
            color="secondary"
            aria-label={`Remove the rule of ${path || 'no path'}`}
            onClick={() => change({ paths: paths.filter((_, n) => n !== at) })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <ActButton
          variant="default"
          size="xs"
          reason={paths.length >= 50 ? '50 paths are the most.' : undefined}
          onClick={() => change({ paths: [...paths, { path: '', minutes: '', locked: false, allow: [] }] })}
        >
          Add a path
        </ActButton>
        <Text c="dimmed" fz="xs">
          0 min: never kept
        </Text>
      </Group>
    </Stack>
  )
}
