import { errorStatuses } from '@innkeeper/contract/net/edgeRules/parts'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { RuleProps } from './PathRows.tsx'

const words: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  500: 'The website fails',
  502: 'The website does not answer',
  503: 'The website is closed or busy',
  504: 'The website takes too long',
}

/** Error pages that replace those of the website, or those of the edge while the website does not answer. */
export function ErrorPages({ draft: { errors }, change, problems }: RuleProps) {
  const left = errorStatuses.filter((status) => !errors.some((page) => page.status === status))
  return (
    <Stack gap={14}>
      {errors.map(({ status, html }, at) => (
        <Stack key={status} gap={4}>
          <Textarea
            label={`${status} · ${words[status]}`}
            description="HTML. Include images and styles in the page itself"
            autosize
            minRows={3}
            maxRows={14}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={html}
            onChange={(event) =>
              change({
                errors: errors.map((page, n) => (n === at ? { ...page, html: event.currentTarget.value } : page)),
              })
            }
            error={Object.entries(problems).find(([path]) => path.startsWith(`errors.${at}.`))?.[1]}
          />
          <Group justify="flex-end">
            <Button
              variant="subtle"
              color="secondary"
              size="xs"
              onClick={() => change({ errors: errors.filter((_, n) => n !== at) })}
            >
              Remove the page for {status}
            </Button>
          </Group>
        </Stack>
      ))}
      <Text c="dimmed">Add a page for</Text>
      <Group gap={8}>
        {left.map((status) => (
          <Button
            key={status}
            variant="default"
            size="xs"
            title={words[status]}
            onClick={() => change({ errors: [...errors, { status, html: '' }] })}
          >
            {status} {words[status]}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
