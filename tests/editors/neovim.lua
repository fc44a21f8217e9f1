-- Opens a template and a kustomization in Neovim with the server, as a user does, and checks what the editor shows.

local editor = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h') .. '/client.lua')

local function run()
  editor.open('app.yml')

  -- The mistake is shown at its place.
  editor.check(vim.wait(90000, function() return #editor.diagnostics() > 0 end, 20), 'a diagnostic appears')
  local first = editor.diagnostics()[1] or { message = '', lnum = -1 }
  editor.check(first.lnum == 4, 'it is on the line of the mistake: ' .. first.lnum)
  editor.check(first.message:find('replica', 1, true) ~= nil, 'it names the mistake: ' .. first.message)

  -- It disappears when the text is corrected.
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  replicas: #@ data.values.replicas' })
  editor.check(vim.wait(90000, function() return #editor.diagnostics() == 0 end, 20), 'the diagnostic disappears')

  local completions = editor.ask('textDocument/completion', 4, 28) or { items = {} }
  editor.check((completions.items[1] or {}).label == 'replicas', 'data values are completed')

  local hover = editor.ask('textDocument/hover', 4, 30)
  editor.check(hover ~= nil and hover.contents.value:find('an integer', 1, true) ~= nil, 'hover shows the type')

  local definition = editor.ask('textDocument/definition', 4, 30)
  editor.check(definition ~= nil and definition.uri:find('schema.yml', 1, true) ~= nil, 'the definition is in the schema')

  -- What else an editor asks about a template.
  editor.eventually(function() return vim.deep_equal(editor.hints(), { '= 2' }) end, 'a hint shows the value')
  local uses = editor.places(4, 30)
  editor.check(vim.deep_equal(uses, { 'schema.yml:2', 'app.yml:4' }), 'the uses of a value: ' .. vim.inspect(uses))
  local tokens = editor.ask('textDocument/semanticTokens/full', 0, 0)
  editor.check(tokens ~= nil and #tokens.data > 0, 'the code in comments has colours')
  local symbols = editor.ask('textDocument/documentSymbol', 0, 0) or {}
  editor.check((symbols[1] or {}).name == 'Deployment', 'documents are symbols: ' .. vim.inspect(symbols))
  local found = editor.ask('workspace/symbol', 0, 0, { query = 'dplmnt' }) or {}
  editor.check((found[1] or {}).name == 'Deployment', 'and are found in all files: ' .. vim.inspect(found))
  local folds = editor.ask('textDocument/foldingRange', 0, 0) or {}
  editor.check((folds[1] or {}).startLine == 2, 'keys can be folded: ' .. vim.inspect(folds))
  local prepared = editor.ask('textDocument/prepareRename', 4, 30)
  editor.check(prepared ~= nil and prepared.start.character == 27, 'a value can be renamed: ' .. vim.inspect(prepared))
  local renamed = editor.ask('textDocument/rename', 4, 30, { newName = 'count' })
  local files = renamed and (renamed.changes or renamed.documentChanges) or {}
  editor.check(vim.tbl_count(files) == 2, 'in the code and in the schema: ' .. vim.inspect(renamed))
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  replicas:    #@ data.values.replicas' })
  local options = { options = { tabSize = 2, insertSpaces = true } }
  local edits = editor.ask('textDocument/formatting', 0, 0, options)
  editor.check(edits ~= nil and #edits == 1, 'the file is formatted: ' .. vim.inspect(edits))
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  replicas: #@ data.values.replica' })
  editor.eventually(function() return #editor.diagnostics() > 0 end, 'the mistake is back')
  local titles = editor.actions(4, 30)
  editor.check(titles[1] == 'Change to `replicas`', 'its help is an action: ' .. vim.inspect(titles))

  -- A kustomization: a path below a string is completed, a selector leads to its object.
  editor.open('edits/kustomization.yaml')
  editor.check(vim.wait(90000, function() return #editor.diagnostics() > 0 end, 20), 'the path that leads nowhere is a mistake')
  local labels = editor.completed(11, 44)
  editor.check(vim.deep_equal(labels, { 'host', 'port' }), 'keys of the JSON are completed: ' .. vim.inspect(labels))
  local fields = editor.ask('textDocument/completion', 4, 3) or { items = {} }
  editor.check(#fields.items > 0 and fields.items[1].documentation ~= nil, 'fields are documented')
  local selected = editor.ask('textDocument/definition', 9, 6)
  editor.check(selected ~= nil and selected.uri:find('objects.yaml', 1, true) ~= nil, 'a selector leads to its object')
  local hover_text = (editor.ask('textDocument/hover', 9, 6) or { contents = { value = '' } }).contents.value
  editor.check(hover_text:find('ConfigMap/settings', 1, true) ~= nil, 'hover names the object: ' .. hover_text)
  editor.check(vim.tbl_contains(editor.hints(), '1 object'), 'a hint counts what a target means: ' .. vim.inspect(editor.hints()))
  vim.api.nvim_buf_set_lines(0, 11, 12, true, { "    fieldPaths: ['data.config\\.json.server.host']" })
  editor.check(vim.wait(90000, function() return #editor.diagnostics() == 0 end, 20), 'the complete path has no mistake')

  -- What reads and writes the host below the string, from both sides.
  editor.check(vim.deep_equal(editor.places(11, 46), { 'kustomization.yaml:11', 'objects.yaml:9' }),
    'from the path to the value: ' .. vim.inspect(editor.places(11, 46)))
  editor.open('edits/objects.yaml')
  editor.check(vim.deep_equal(editor.places(9, 20), { 'kustomization.yaml:11', 'objects.yaml:9' }),
    'from the value to the path: ' .. vim.inspect(editor.places(9, 20)))
  editor.check(vim.deep_equal(editor.places(2, 17), { 'kustomization.yaml:7', 'kustomization.yaml:15', 'objects.yaml:2' }),
    'from an object to the replacement and the patch: ' .. vim.inspect(editor.places(2, 17)))

  -- Patches in files of their own, while a line is typed.
  editor.open('edits/patches/settings.yaml')
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  con' })
  editor.check(vim.deep_equal(editor.completed(4, 5), { 'config.json' }), 'keys of the object: ' .. vim.inspect(editor.completed(4, 5)))
  vim.api.nvim_buf_set_lines(0, 2, 3, true, { 'metadata: {name: ' })
  editor.check(vim.deep_equal(editor.completed(2, 17), { 'settings' }), 'names of objects: ' .. vim.inspect(editor.completed(2, 17)))
  editor.open('edits/operations.json')
  vim.api.nvim_buf_set_lines(0, 0, 1, true, { '[{"op": "add", "path": "/meta' })
  editor.check(vim.deep_equal(editor.completed(0, 29), { 'apiVersion', 'kind', 'metadata' }),
    'pointers of a JSON patch: ' .. vim.inspect(editor.completed(0, 29)))
end

editor.run(run)
