/** The address of what the server has at a path. It is relative: a proxy may show the page below a folder of its own. */
export const served = (path: string): string => `.${path}`;
