/** Tests are plain JavaScript, modules and CommonJS: nothing is transformed. */
export default { transform: {} };
