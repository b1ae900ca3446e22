"""A contract for import-linter: these modules import from the standard library and each other only.

import-linter can forbid packages by name. What a browser has to load must do without all of them,
also those that nobody has thought of yet. `pyproject.toml` says which modules, and which imports
are let through: those that wait inside of a function, or that are a module's whole purpose.
"""

import sys
from typing import Any

from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils
from importlinter.domain.helpers import module_expressions_to_modules


class StandardLibraryContract(Contract):
    """Each of `source_modules`, with all in it, imports no third-party package."""

    type_name = "standard_library"

    source_modules = fields.SetField(subfield=fields.ModuleExpressionField())
    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField(), required=False)

    def check(self, graph: Any, verbose: bool) -> ContractCheck:  # noqa: ARG002 - its signature
        """See Contract."""
        contract_utils.remove_ignored_imports_and_report(
            graph=graph,
            ignore_imports=self.ignore_imports,
            unmatched_alerting=contract_utils.AlertLevel.ERROR,
        )
        sources = {
            name
            for module in module_expressions_to_modules(graph, self.source_modules)
            for name in (module.name, *graph.find_descendants(module.name))
        }
        own = {name.partition(".")[0] for name in sources}
        found = [
            f"{importer} -> {imported} (l.{line['line_number']})"
            for importer in sorted(sources)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported.partition(".")[0] not in own | sys.stdlib_module_names
            for line in graph.get_import_details(importer=importer, imported=imported)
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """See Contract."""
        for line in check.metadata["found"]:
            output.print_error(f"{line}: not in the standard library.")
