const a: number = 'x'; export { a }
