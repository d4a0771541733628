import { type Domain, group, item, screen } from '../../domain.ts'

export const sms = {
  screens: [
    screen(
      '/sms/templates',
      { scope: 'sms:template:read', title: 'SMS templates' },
      () => import('./TemplatesScreen.tsx'),
    ),
    screen(
      '/sms/templates/create',
      { scope: 'sms:template:create', title: 'Create template' },
      () => import('./TemplateCreateScreen.tsx'),
    ),
    screen(
      '/sms/templates/edit/$name',
      { scope: 'sms:template:update', needs: 'sms:template:read', title: 'Edit template' },
      () => import('./TemplateEditScreen.tsx'),
    ),
    screen('/sms/messages', { scope: 'sms:message:read', title: 'Messages' }, () => import('./MessagesScreen.tsx')),
    screen(
      '/sms/messages/create',
      { scope: 'sms:message:create', title: 'Send a message', about: ['template'] },
      () => import('./MessageCreateScreen.tsx'),
    ),
    screen(
      '/sms/settings',
      { scope: 'sms:settings:update', title: 'SMS settings' },
      () => import('./SettingsScreen.tsx'),
    ),
  ],
  area: 'Desk',
  menu: [
    ...group('SMS', [
      item(52, 'Templates', '/sms/templates', 'sms:template:read'),
      item(53, 'Messages', '/sms/messages', 'sms:message:read'),
      item(72, 'Settings', '/sms/settings', 'sms:settings:update'),
    ]),
  ],
} satisfies Domain
