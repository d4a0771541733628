import { ActionIcon, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { ActButton } from '../../../../kit/look/ActButton.tsx'
import type { RuleProps } from './PathRows.tsx'
import { lineProblem, type RuleDraft } from './ruleDraft.ts'

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } } as const

/** Who may visit: names with passwords, and addresses. */
export function Visitors({ draft: { locked, users, allow, deny }, change, problems }: RuleProps) {
  const set = (at: number, part: Partial<RuleDraft['users'][number]>) =>
    change({ users: users.map((user, n) => (n === at ? { ...user, ...part } : user)) })
  return (
    <Stack gap={16}>
      <Switch
        label="The whole website needs a name and a password"
        description="Pages behind it are cached, and the website does not get the name"
        checked={locked}
        onChange={(event) => change({ locked: event.currentTarget.checked })}
      />
      <Stack gap={10}>
        {users.map(({ name, password, known }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name while they are typed
          <Group key={at} gap={10} align="flex-start" wrap="nowrap">
            <TextInput
              label={at === 0 ? 'Name' : undefined}
              aria-label={`Name ${at + 1}`}
              style={{ flex: 1 }}
              autoComplete="off"
              disabled={known}
              value={name}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
              error={problems[`users.${at}.name`] ?? problems[`users.${at}`]}
            />
            <TextInput
              label={at === 0 ? 'Password' : undefined}
              aria-label={`Password ${at + 1}`}
              style={{ flex: 1 }}
              autoComplete="off"
              spellCheck={false}
              placeholder={known ? 'stays as it is' : '8 characters or more'}
              value={password}
              onChange={(event) => set(at, { password: event.currentTarget.value })}
              error={name ? problems[`users.${at}.password`] : undefined}
            />
            <ActionIcon
              mt={at === 0 ? 22 : 0}
              size={32}
              variant="subtle"
              color="secondary"
              aria-label={`Remove ${name || 'nobody'}`}
              onClick={() => change({ users: users.filter((_, n) => n !== at) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <ActButton
            variant="default"
            size="xs"
            reason={users.length >= 200 ? '200 names are the most.' : undefined}
            onClick={() => change({ users: [...users, { name: '', password: '', known: false }] })}
          >
            Add a name
          </ActButton>
          {problems.users && (
            <Text c="var(--mantine-color-error)" fz="xs">
              {problems.users}
            </Text>
          )}
        </Group>
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16}>
        <Textarea
          label="Only these addresses"
          description="One address or network per line; none: everybody"
          placeholder="192.0.2.0/24"
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          styles={mono}
          value={allow}
          onChange={(event) => change({ allow: event.currentTarget.value })}
          error={lineProblem(problems, 'allow')}
        />
        <Textarea
          label="Never these addresses"
          description="One address or network per line"
          placeholder="198.51.100.7"
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          styles={mono}
          value={deny}
          onChange={(event) => change({ deny: event.currentTarget.value })}
          error={lineProblem(problems, 'deny')}
        />
      </SimpleGrid>
    </Stack>
  )
}
