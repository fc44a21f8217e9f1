-- The task "a sidecar everywhere but one", from an empty file, as somebody does it who is new: with the mistakes, and by
-- what the editor shows and offers.

local editor = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h') .. '/client.lua')

--- Types keys; `<Esc>` and the like are keys, too.
local function type(keys)
  local typed = vim.api.nvim_replace_termcodes(keys, true, false, true)
  vim.api.nvim_feedkeys(typed, 'xt', false)
end

local function messages()
  local all = {}
  for _, diagnostic in ipairs(editor.diagnostics()) do table.insert(all, diagnostic.message) end
  return table.concat(all, '\n')
end

local function says(text)
  editor.eventually(function() return messages():find(text, 1, true) ~= nil end, 'a message says: ' .. text)
end

local function run()
  editor.open('sidecar.yml')
  -- Neovim would indent below each key, too.
  vim.cmd('set paste')
  type('i#@overlay/<Esc>')
  editor.check(vim.tbl_contains(editor.completed(0, 11), 'overlay/match'), 'annotations are completed')
  type('Amatch <Esc>')
  editor.check(vim.tbl_contains(editor.completed(0, 16), 'expects='),
    'and their arguments: ' .. vim.inspect(editor.completed(0, 16)))
  editor.check(not vim.tbl_contains(editor.completed(0, 16), 'break'), 'and no words of blocks')
  type('Aby=overlay.subset({"kind": "Deployment"})<CR>---<CR>spec:<CR>  template:<CR>    spec:<CR>      <Esc>')

  -- The module is loaded by an action.
  says('undefined name `overlay`')
  local titles, actions = editor.actions(0, 22)
  local load = actions[titles[1] or '']
  editor.check(load ~= nil, 'an action loads the module: ' .. vim.inspect(titles))
  vim.lsp.util.apply_workspace_edit(load.edit, 'utf-16')
  says('expected 1 matching document, found 3')
  says('expects="1+"')
  type('2GA, expects="1+"<Esc>')
  editor.eventually(function() return vim.deep_equal(editor.hints(), { '3 matches' }) end, 'a hint counts the matches')

  -- The keys are those of what matches, also below a key that has none yet.
  editor.eventually(function() return vim.deep_equal(editor.completed(6, 6), { 'containers' }) end,
    'keys are completed in an empty line: ' .. vim.inspect(editor.completed(6, 6)))
  type('Gcc      containers:<CR>      - name: proxy<CR>        image: proxy:2<Esc>')
  editor.eventually(function() return vim.tbl_contains(editor.completed(6, 8), 'containers') end,
    'keys are completed: ' .. vim.inspect(editor.completed(6, 8)))
  editor.eventually(function() return #editor.diagnostics() == 0 end, 'nothing is wrong: ' .. messages())

  -- But one: first as a sentence would say it, and then as the message says.
  vim.cmd([[2s/, expects/ and not overlay.subset({"metadata": {"name": "batch"}}), expects/]])
  says('overlay.and_op(…)')
  vim.cmd([[2s/by=\(.*\) and not \(.*\), expects/by=overlay.and_op(\1, overlay.not_op(\2)), expects/]])
  editor.eventually(function() return vim.deep_equal(editor.hints(), { '2 matches' }) end,
    'two are left: ' .. vim.inspect(editor.hints()) .. messages())
  editor.eventually(function() return #editor.diagnostics() == 0 end, 'nothing is wrong at the end: ' .. messages())

  -- What it matches, by name and by place.
  local hover = (editor.ask('textDocument/hover', 1, 5) or { contents = { value = '' } }).contents.value
  editor.check(hover:find('web', 1, true) ~= nil and hover:find('batch', 1, true) == nil, 'hover names them: ' .. hover)
  local matched = editor.ask('textDocument/definition', 1, 5) or {}
  editor.check(#matched == 2, 'the annotation leads to both: ' .. vim.inspect(matched))
  vim.cmd('write')
end

editor.run(run)
