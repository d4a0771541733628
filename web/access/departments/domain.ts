import { type Domain, item, screen } from '../../domain.ts'

export const departments = {
  screens: [
    screen(
      '/departments',
      { scope: 'users:department:read', title: 'Departments' },
      () => import('./DepartmentsScreen.tsx'),
    ),
    screen(
      '/departments/create',
      { scope: 'users:department:create', title: 'Create department' },
      () => import('./DepartmentCreateScreen.tsx'),
    ),
    screen(
      '/departments/edit/$departmentId',
      { scope: 'users:department:update', needs: 'users:department:read', title: 'Edit department' },
      () => import('./DepartmentEditScreen.tsx'),
    ),
  ],
  area: 'Administration',
  menu: [item(3, 'Departments', '/departments', 'users:department:read')],
} satisfies Domain
