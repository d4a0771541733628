import { type Domain, item, screen } from '../../domain.ts'

export const webhooks = {
  screens: [
    screen('/webhooks', { scope: 'api:webhook:read', title: 'Webhooks' }, () => import('./WebhooksScreen.tsx')),
    screen(
      '/webhooks/create',
      { scope: 'api:webhook:create', title: 'Create webhook' },
      () => import('./WebhookCreateScreen.tsx'),
    ),
    screen(
      '/webhooks/$webhookId',
      { scope: 'api:webhook:read', title: 'Webhook' },
      () => import('./WebhookScreen.tsx'),
    ),
    screen(
      '/webhooks/edit/$webhookId',
      { scope: 'api:webhook:update', needs: 'api:webhook:read', title: 'Edit webhook' },
      () => import('./WebhookEditScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(92, 'Webhooks', '/webhooks', 'api:webhook:read')],
} satisfies Domain
